# shellcheck shell=bash
# The files of common/ stand in layers.
guard 'a lower file of the simt device calls no upper one' common/simt/policies.cpp \
    'bump(&w->pulse);' \
    'bump(&w->pulse); extern void switch_away(worker *); if (w->quota < 0) switch_away(w);' arrows.sh
guard 'nor does one of the worker' common/worker/request.c \
    'gb_backend_clear_error();' \
    'gb_backend_clear_error(); extern void gb_service_close(gb_service *); if (!answer) gb_service_close(service);' \
    arrows.sh
guard 'headers include none that include them' common/simt/sanitizers.h \
    '#define GB_SIMT_SANITIZERS_H' '#define GB_SIMT_SANITIZERS_H
#include "common/simt/fiber.h"' arrows.sh
