struct gate {
    void on_opened();
};
