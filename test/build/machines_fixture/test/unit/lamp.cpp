void test_of_lamp()
{
    lamp tested;
    tested.on_pressed();
    tested.on_released_twice();
}
