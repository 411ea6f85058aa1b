import { parentPort } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import './spec-runner.ts'

/**
 * A thread that carries out checks, as the test runner starts one, but with all that it needs already loaded when it
 * says that it is there.
 */
if (parentPort === null) throw new Error('harness/run/thread.ts is a thread of a run, and no program')
const port = parentPort

init({
  post: (response) => port.postMessage(response),
  on: (hear) => port.on('message', hear),
  off: (hear) => port.off('message', hear),
  teardown: () => port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
})

/** The first message to whoever has started the thread. */
port.postMessage('loaded')
