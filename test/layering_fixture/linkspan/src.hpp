#include <linkspan/impl/message.ipp>
