#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bochs.sh [BUILD_DIR]: the two stages that need Bochs; see run.sh.
exec sh "$(dirname "$0")/run.sh" "${1:-build-kernel}" bochs models
