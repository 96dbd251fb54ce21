#include <linkspan/protocol/task_notifications.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(task_notifications_test)

using namespace linkspan;

BOOST_AUTO_TEST_CASE(notifications_of_both_forms_of_tasks_are_about_a_task)
{
    BOOST_TEST(is_about_task("notifications/tasks"));
    BOOST_TEST(is_about_task("notifications/tasks/status"));
    BOOST_TEST(!is_about_task("notifications/tasks/list_changed"));
    BOOST_TEST(!is_about_task("tasks/get"));
    BOOST_TEST(task_notification == "notifications/tasks");
    BOOST_TEST(task_status_notification == "notifications/tasks/status");
}

BOOST_AUTO_TEST_SUITE_END()
