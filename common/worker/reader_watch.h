/* Ends a worker whose driver is gone, also in the middle of a kernel that never ends. */
#ifndef GB_READER_WATCH_H
#define GB_READER_WATCH_H

/* Watches, in a thread, whether anybody still reads what is written to fd, and ends the process
 * with exit status 1 once nobody does. Behind ssh, a driver that gives up on a worker ends ssh and
 * nothing else: the kernel would keep the device from the worker that comes next. Where no thread
 * can be had, stderr says that it is not watched; the end of the input ends the worker then. */
void gb_reader_watch(int fd);

#endif
