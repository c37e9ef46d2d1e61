#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bochs.sh [BUILD_DIR]: the stage of the same name by itself; see run.sh.
exec sh "$(dirname "$0")/run.sh" "${1:-build-kernel}" bochs
