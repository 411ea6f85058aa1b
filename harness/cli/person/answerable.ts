import { ConfigurationError } from '../../profile/configuration-error.ts'
import { isOnLoopback } from './listener.ts'
import type { PersonProfile } from '../../profile/schema/authorization.ts'
import type { Profile } from '../../profile/schema.ts'

/**
 * A run that nobody could tell anything does not begin.
 * @throws ConfigurationError where there is neither a terminal nor a redirect that comes to this machine.
 */
export const refuseUnanswerable = (
  { applications }: Pick<Profile, 'applications'>,
  { listen }: PersonProfile,
  hasTerminal: boolean,
): void => {
  const uris = applications.flatMap(({ redirectUris }) => redirectUris)
  const heard = uris.filter(
    ({ uri, delivery }) => listen !== undefined && delivery === 'redirect' && isOnLoopback(uri, listen.port),
  )
  if (hasTerminal || heard.length > 0) return
  throw new ConfigurationError(
    listen === undefined
      ? '`authorization` has the kind person, and there is no terminal to paste the end of an authorization into; run it on a terminal, or register a redirect URI such as http://127.0.0.1:8765/callback at the bank and name its port with `authorization.listen`'
      : `\`authorization.listen\` has the port ${listen.port}, no redirect URI with delivery "redirect" leads there (${uris.map(({ uri }) => uri).join(', ')}), and there is no terminal to paste into; run it on a terminal, or register http://127.0.0.1:${listen.port}/callback at the bank and add it to \`applications.*.redirectUris\``,
  )
}
