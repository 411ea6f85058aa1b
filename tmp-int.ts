import { startRawServer } from './harness/misfortune/raw-server.ts'
import * as treat from './harness/misfortune/treatments.ts'
import { relayTo } from './harness/misfortune/relay.ts'
import { startBank } from './harness/bank/server.ts'
import { referenceProfile } from './harness/target/embedded.ts'
import { writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
writeFileSync('/tmp/misfortune-lab/p.json', JSON.stringify({ ...referenceProfile(), levers: {} }))
const bank = await startBank()
let t = 0
const server = await startRawServer(treat.first(30, relayTo(bank), (s, c) => { if (c.number === 31) { t = performance.now(); child.kill('SIGINT') } }))
const child = spawn('node', ['--import', 'tsx', 'harness/cli.ts', '--base-url', server.url, '--profile', '/tmp/misfortune-lab/p.json', '--only', 'consent', '--concurrency', '1', '--out', '/tmp/misfortune-lab/out'], { stdio: 'inherit' })
child.on('exit', (c, s) => { console.log('exit', c, s, performance.now() - t, 'ms after SIGINT'); process.exit() })
