import { headOf } from './fault-responses.ts'
import type { RunningBank } from '../../bank/server.ts'
import type { Call, Respond } from './raw-server.ts'

const fieldsOf = ({ head }: Call): [string, string][] =>
  head
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])

/** Forwards each call to the reference bank, and returns its answer. */
export const relayTo =
  ({ bank }: Pick<RunningBank, 'bank'>): Respond =>
  (socket, call) => {
    const host = /^host: *(\S+)/im.exec(call.head)?.[1] ?? 'bank.invalid'
    const request = new Request(new URL(call.path, `http://${host}`), {
      method: call.method,
      headers: fieldsOf(call).filter(([name]) => !/^(host|connection|content-length)$/i.test(name)),
      ...(call.body !== '' && { body: Buffer.from(call.body, 'latin1') }),
    })
    void bank.fetch(request).then(async (response) => {
      const body = Buffer.from(await response.arrayBuffer())
      const cookies = response.headers.getSetCookie().map((cookie) => `set-cookie: ${cookie}\r\n`)
      const fields = Object.fromEntries(
        [...response.headers].filter(
          ([name]) => !/^(set-cookie|content-length|transfer-encoding)$/.test(name),
        ),
      )
      const head = headOf(response.status, { ...fields, 'content-length': body.length })
      socket.write(
        Buffer.concat([Buffer.from(head.replace('\r\n', `\r\n${cookies.join('')}`), 'latin1'), body]),
      )
    })
  }
