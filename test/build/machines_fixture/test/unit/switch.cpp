// The test calls an event of another class: it names a lamp_post.
void test_of_lamp_post()
{
    lamp_post tested;
    tested.on_replaced();
    tested.on_opened();
}
