/** Every code of a finding, with its title and the next step. A code is never reused, so that people and scripts can rely on it. */

/** `error`: a run would not get a verdict. `warning`: it would judge less, or something else. */
export type Level = 'ok' | 'notice' | 'warning' | 'error'

interface CodeDescription {
  readonly level: Level
  readonly title: string
  /** The next step. Empty where there is nothing to do. */
  readonly next: string
}

const describe =
  (level: Level) =>
  (title: string, next: string): CodeDescription => ({ level, title, next })

const error = describe('error')
const warning = describe('warning')
const notice = describe('notice')
const ok = (title: string): CodeDescription => ({ level: 'ok', title, next: '' })

export const CODES = {
  // The content of the profile, and its omissions.
  'CFG-CONN-1': error(
    'The files of `connection` cannot be used',
    'Correct `connection.ca`, `connection.certificate`, `connection.key` and `connection.passphrase`.',
  ),
  'CFG-CONN-2': warning(
    'The client certificate is out of date, or soon will be',
    'Have it renewed, and write the new files into `connection.certificate` and `connection.key`.',
  ),
  'CFG-CRED-1': error(
    'The credentials of an application are refused',
    'Correct its `clientId` and `clientSecret`; do they belong to this environment?',
  ),
  'CFG-URI-1': error(
    'A redirect URI is refused',
    'Write it exactly as it is registered, or register it at the target.',
  ),
  'CFG-LOGIN-1': notice(
    'A run logs customers in with the passwords of the profile',
    'Check the passwords first: a bank may lock the account of a customer after wrong ones.',
  ),
  'CFG-DATA-1': notice(
    'What becomes of the personal data of customers',
    'Set `personalData` to `pseudonyms` or `kept`.',
  ),
  'CFG-BIND-1': notice(
    'The profile leaves bindings at their defaults',
    'Compare them with the documentation of the target, and write those that you have checked into the profile.',
  ),
  'CFG-TEST-HOOK-1': warning(
    'A test hook has an origin that nothing is sent to',
    'Add its origin to `origins`, or the test hook is never called.',
  ),

  // The network between this machine and the target, in both directions.
  'NET-DNS-1': error(
    'The name of the host cannot be resolved',
    'Correct the host in `baseUrl` (or --base-url), or the DNS of this machine; is a VPN off?',
  ),
  'NET-DNS-2': ok('The name of the host has addresses'),
  'NET-TCP-1': error(
    'Nothing listens at the port',
    'Start the target, or correct host and port in `baseUrl` (or --base-url).',
  ),
  'NET-TCP-2': error(
    'No connection is possible',
    'Ask whether a firewall or a list of allowed addresses is in between, or set `connection.proxy`.',
  ),
  'NET-TCP-3': warning(
    'Some addresses of the host accept no connection',
    'Remove these addresses from the DNS, or start their servers.',
  ),
  'NET-TCP-4': ok('The host accepts connections'),
  'NET-PROXY-1': notice(
    'A proxy is used',
    'If that is not intended, set `connection.proxy` to none, or add the host to NO_PROXY.',
  ),
  'NET-PROXY-2': notice(
    'A proxy is set, and not used',
    'If it is to be used, remove the host from NO_PROXY; addresses of this machine never go through a proxy.',
  ),
  'NET-PROXY-3': error(
    'The proxy cannot be reached',
    'Correct `connection.proxy`, or HTTPS_PROXY and HTTP_PROXY of the environment.',
  ),
  'NET-PROXY-4': error(
    'The proxy asks for credentials (407)',
    'Write them into the address of the proxy, http://user:password@host:port, in the environment (HTTPS_PROXY) and not in the profile.',
  ),
  'NET-PROXY-5': error(
    'The proxy refuses the tunnel to the target',
    'Ask who runs the proxy to allow CONNECT to the target, or set `connection.proxy` to another one, or none.',
  ),
  'NET-TLS-1': ok('TLS works, and the certificate is trusted'),
  'NET-TLS-2': error(
    'The certificate is self-signed',
    'Name a file with this certificate in `connection.ca`; `connection.verify: false` accepts any certificate.',
  ),
  'NET-TLS-3': error(
    'The chain of the certificate is not complete',
    'Have the target send its intermediate certificates, or name a file with them in `connection.ca`.',
  ),
  'NET-TLS-4': error(
    'The chain ends at an authority that is not trusted here',
    "Name a file with the authority's certificate (PEM) in `connection.ca`.",
  ),
  'NET-TLS-5': error(
    'The certificate is not valid today',
    'Have it renewed; if it is valid, correct the clock of this machine.',
  ),
  'NET-TLS-6': warning(
    'The certificate expires soon',
    'Have it renewed: once it has expired, no run reaches the target.',
  ),
  'NET-TLS-7': error(
    'The certificate is for another name',
    'Write a name of the certificate into `baseUrl` (or --base-url), or have the name added.',
  ),
  'NET-TLS-8': error(
    'The target asks for a client certificate',
    'Name its files in `connection.certificate` and `connection.key`.',
  ),
  'NET-TLS-9': error(
    'The client certificate is refused',
    'Ask whether it is registered at the target, still valid, and from an authority that it trusts (`connection.certificate`).',
  ),
  'NET-TLS-10': error(
    'No TLS connection is possible',
    'Does the port support TLS 1.2 or later? For plain HTTP, write http:// into `baseUrl` (or --base-url).',
  ),
  'NET-TLS-11': warning(
    'Certificates are not verified',
    'Remove `connection.verify: false`, and name the authority in `connection.ca`.',
  ),
  'NET-TLS-12': ok('The client certificate is asked for, and accepted'),
  'NET-TLS-13': notice(
    'The target accepts connections without the client certificate',
    'If it should ask for one, correct the target; else `connection.certificate` and `connection.key` are not needed.',
  ),
  'NET-TLS-14': warning(
    'Credentials are sent unencrypted',
    'Write https:// into `baseUrl` (or --base-url), if the target supports it.',
  ),
  'NET-TIME-1': ok('The clocks agree'),
  'NET-TIME-2': warning(
    'The clocks do not agree',
    'Set the clock of this machine (NTP), or that of the target: what is judged by time may be wrong by the difference.',
  ),
  'NET-TIME-3': notice(
    'The target does not send its time',
    'Make sure that the clock of this machine is set (NTP).',
  ),
  'NET-HOOK-1': error('The name in the webhook URL cannot be resolved', 'Correct --webhook-url.'),
  'NET-HOOK-2': warning(
    'The webhook URL cannot be reached from outside',
    'Give --webhook-url an address that the target can reach, such as that of a tunnel.',
  ),
  'NET-HOOK-3': error(
    'The webhook sink cannot listen',
    'Correct `webhooks.listen` or `webhooks.tls`, or stop the program that uses the port.',
  ),
  'NET-HOOK-4': warning(
    'The webhook URL does not lead back here',
    'Point --webhook-url at the address in `webhooks.listen`; some networks block calls from inside to their own public address, and the target may still get through.',
  ),
  'NET-HOOK-5': ok('The webhook URL leads to the sink'),
  'NET-HOOK-6': notice(
    'No webhook URL is given',
    'Give --webhook-url, if the target can call this machine: without it nothing about webhooks is judged.',
  ),
  'NET-TEST-HOOK-1': warning(
    'The host of a test hook accepts no connection',
    'Correct the url of the test hook, or start its host; without it the checks that need the hook are not reached.',
  ),

  // The answers of the target itself.
  'TGT-HTTP-1': error(
    'No answer comes before the deadline',
    'Ask whether the target is up; if it is slow, raise `deadlines.requestMs`.',
  ),
  'TGT-HTTP-2': error(
    'The connection is closed without an answer',
    'Is it the right port and protocol in `baseUrl` (or --base-url)? A gateway may ask for a certificate or a header (`connection.certificate`, `headers`).',
  ),
  'TGT-HTTP-3': error(
    'The answer cannot be read as HTTP',
    'Is it an HTTP port? A TLS port needs https:// in `baseUrl` (or --base-url).',
  ),
  'TGT-HTTP-4': warning(
    'The target answers a simple request with 5xx',
    'Look at its log: a run would be incomplete (exit code 2).',
  ),
  'TGT-HTTP-5': warning(
    'No complete answer comes',
    'Look at the target and at its gateway: a run would be incomplete (exit code 2).',
  ),
  'TGT-SAME-1': error(
    'Every request gets the same answer',
    'Correct `baseUrl` (or --base-url), or ask the bank whether it accepts requests from this machine.',
  ),
  'TGT-PATH-1': ok('The interface answers at its base path'),
  'TGT-PATH-2': error(
    'Nothing is found at an address',
    'Correct `baseUrl` (or --base-url), the base path, or the path of the operation.',
  ),
  'TGT-PATH-3': warning(
    'A base path answers with an HTML page',
    'A gateway or a web site answers: correct `baseUrl` or the base path, or add what the gateway asks for to `headers`.',
  ),
  'TGT-PATH-4': error(
    'An address is redirected',
    'Redirects of requests are not followed: write the new address into `baseUrl`, the base path or the path of the operation.',
  ),
  'TGT-PATH-5': notice(
    'The base path of the other environment does not answer',
    'If the target has it, correct `basePaths`; if `environments` lists both, it must answer.',
  ),
  'TGT-CRED-1': ok('The credentials of an application are accepted'),
  'TGT-CRED-2': notice(
    'It is unknown whether the credentials of an application are accepted',
    'A run shows it; look at its chapters consent and tokens first.',
  ),
  'TGT-CRED-3': warning(
    'No consent is created for an application',
    'Correct its `kind` (a FAC creates no consent) or `operations.createConsent`, or ask whether it may create consents.',
  ),
  'TGT-CRED-4': warning(
    'The client is known only by form-encoded credentials',
    'The secret is right. Ask the bank for values joined as they are, which the interface has, or for a secret of letters and digits.',
  ),
  'TGT-URI-1': ok('A registered redirect URI is accepted'),
  'TGT-URI-2': notice(
    'An unregistered redirect URI gets the same answer',
    'So the accepted redirect URIs prove nothing yet; a run judges them in its chapter authorization.',
  ),
  'TGT-URI-3': warning(
    'The authorization is refused before the login',
    'Look at the error of the target: correct `kind` of the application (a TPP needs a consent) or `scopes.accounts`, or its rights.',
  ),
  'TGT-PAGE-1': ok('The recipe recognises the first page'),
  'TGT-PAGE-2': warning(
    'The recipe does not recognise the first page',
    'Add a page with a `when` that finds an element of it to `authorization.pages`.',
  ),
  'TGT-PAGE-3': warning(
    'The first page already has the element of the code',
    'Make `authorization.code` match the result screen only.',
  ),
  'TGT-PAGE-4': warning(
    'The pages are at another origin',
    'If it belongs to the bank, add it to `origins`; nothing is sent to any other.',
  ),
  'TGT-LOGIN-1': ok('A customer logs in, agrees, and the accounts are listed'),
  'TGT-LOGIN-2': error(
    'A customer gets no access to the accounts',
    'Correct what is named, or ask whether the target works: without access a run judges almost nothing.',
  ),
  'TGT-TOKEN-1': ok('An imported token is accepted'),
  'TGT-TOKEN-2': warning(
    'An imported token is refused',
    'Have the customer authorize again, and put the new token into `authorization.tokens`.',
  ),
  'TGT-BIND-1': ok('The answer is as the profile describes it'),
  'TGT-BIND-2': warning(
    'The answer is not as the profile describes it',
    'Correct the key that is named, by the fields of the answer.',
  ),
  'TGT-TEST-HOOK-1': ok('The test hook of the clock answers'),
  'TGT-TEST-HOOK-2': warning(
    'The test hook of the clock does not return the time',
    'Correct `testHooks.readClock` (url, headers, result).',
  ),
  'TGT-TEST-HOOK-3': ok('The present webhook settings can be restored'),
  'TGT-TEST-HOOK-4': warning(
    'The webhook settings cannot be restored',
    'Correct `testHooks.readWebhook` (url, headers, result, fields), or leave it out.',
  ),

  // The examination itself.
  'OWN-LEFT-1': notice(
    'A step was left out',
    'Do what the named finding asks for, and run the doctor again.',
  ),
  'OWN-STEP-1': error(
    'A step of the examination failed',
    'This is a fault of the suite and says nothing about the target: report it with this text.',
  ),
}

export type Code = keyof typeof CODES
