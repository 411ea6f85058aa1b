#!/usr/bin/env node
import process from 'node:process'

process.env['BANK_CONFORMANCE_INSTALLED'] = '1'
process.setSourceMapsEnabled(true)
await import('./main.ts')
