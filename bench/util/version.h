/* The version of gpubench; the Makefile reads it from here. */
#ifndef GB_UTIL_VERSION_H
#define GB_UTIL_VERSION_H

#define GB_VERSION "0.1.0"

#endif
