struct lamp {
    void on_pressed();
    void on_released();
    void on_replaced();
};
