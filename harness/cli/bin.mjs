#!/usr/bin/env node
import { register } from 'tsx/esm/api'

/** The program of the installed package. Node reads no TypeScript below `node_modules`, so that tsx translates it. */

process.env['BANK_CONFORMANCE_INSTALLED'] = '1'
register()
await import('./main.ts')
