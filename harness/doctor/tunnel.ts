import { request } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { find } from './finding.ts'
import { codeOf, within } from './network.ts'
import { hostOf, portOf } from './patient.ts'
import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Line } from './line.ts'
import type { Visit } from './patient.ts'

/** The way through a proxy: a tunnel that CONNECT asks for (RFC 9110 §9.3.6). */

export interface Passage {
  readonly target: URL
  readonly proxy: URL
  /** The key of the profile, or the variable of the environment, that names the proxy. */
  readonly from: string
}

interface Asked {
  readonly status: number
  readonly socket: Socket
}

const credentialsOf = ({ username, password }: URL): OutgoingHttpHeaders => {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

const placeOf = (url: URL): string => `${url.hostname}:${portOf(url)}`

const ask = ({ target, proxy }: Passage, { patience }: Visit): Promise<Asked> => {
  const send = proxy.protocol === 'https:' ? requestOverTls : request
  const asked = send({
    ...{ host: hostOf(proxy), port: portOf(proxy), method: 'CONNECT', path: placeOf(target), agent: false },
    headers: { Host: placeOf(target), ...credentialsOf(proxy) },
  })
  const answered = new Promise<Asked>((resolve, reject) => {
    asked.once('connect', ({ statusCode = 0 }, socket) => resolve({ status: statusCode, socket }))
    // Some answer a refusal as they would answer any other request.
    asked.once('response', ({ statusCode = 0, socket }) => resolve({ status: statusCode, socket }))
    asked.on('error', reject)
    asked.end()
  })
  return within(answered, patience).catch((error: unknown) => {
    asked.destroy()
    throw error
  })
}

const PROXY_AUTHENTICATION_REQUIRED = 407

/** Opens a tunnel once, to see whether it is granted. The credentials of the proxy are shown nowhere. */
export const openTunnel = async (visit: Visit, passage: Passage): Promise<Line> => {
  const { proxy, from, target } = passage
  const gone = find('NET-PROXY-1', { cause: `${placeOf(proxy)}, which ${from} names.` })
  try {
    const { status, socket } = await ask(passage, visit)
    socket.on('error', () => undefined)
    socket.destroy()
    if (status >= 200 && status < 300)
      return { findings: [gone], open: async () => (await ask(passage, visit)).socket }
    const cause = `${placeOf(proxy)} (${from}) answers CONNECT ${placeOf(target)} with ${status}.`
    const code = status === PROXY_AUTHENTICATION_REQUIRED ? 'NET-PROXY-4' : 'NET-PROXY-5'
    return { findings: [gone, find(code, { cause })] }
  } catch (error) {
    visit.patience.ends.throwIfAborted()
    const cause = `${placeOf(proxy)} (${from}): ${codeOf(error)}.`
    return { findings: [gone, find('NET-PROXY-3', { cause })] }
  }
}
