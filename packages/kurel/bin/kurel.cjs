#!/usr/bin/env node
'use strict';
// V8's code cache halves the time spent compiling the bundle where Node has it (22.8 and later).
require('node:module').enableCompileCache?.();
require('../dist/cli/main.cjs');
