/** Codes of what lies between this machine and the target, and of the way back. */
export const NETWORK_CODES = {
  'NET-DNS-1': {
    level: 'error',
    title: 'The name of the host cannot be resolved',
    next: 'Correct the host in `baseUrl` (or --base-url), or the DNS of this machine; is a VPN off?',
  },
  'NET-DNS-2': { level: 'ok', title: 'The name of the host has addresses', next: '' },
  'NET-TCP-1': {
    level: 'error',
    title: 'Nothing listens at the port',
    next: 'Start the target, or correct host and port in `baseUrl` (or --base-url).',
  },
  'NET-TCP-2': {
    level: 'error',
    title: 'No connection comes about',
    next: 'Ask whether a firewall or a list of allowed addresses stands in between, or set `connection.proxy`.',
  },
  'NET-TCP-3': {
    level: 'warning',
    title: 'Some addresses of the host take no connection',
    next: 'Take the dead addresses out of the DNS, or bring up the servers behind them.',
  },
  'NET-TCP-4': { level: 'ok', title: 'The host takes connections', next: '' },
  'NET-PROXY-1': {
    level: 'notice',
    title: 'A proxy is gone through',
    next: 'If it is not meant, set `connection.proxy` to none, or add the host to NO_PROXY.',
  },
  'NET-PROXY-2': {
    level: 'notice',
    title: 'A proxy is set, and not gone through',
    next: 'If it is meant, take the host out of NO_PROXY; this machine is never asked for by a proxy.',
  },
  'NET-PROXY-3': {
    level: 'error',
    title: 'The proxy cannot be reached',
    next: 'Correct `connection.proxy`, or HTTPS_PROXY and HTTP_PROXY of the environment.',
  },
  'NET-PROXY-4': {
    level: 'error',
    title: 'The proxy asks for credentials (407)',
    next: 'Write them into the address of the proxy, http://user:password@host:port, in the environment (HTTPS_PROXY) and not in the profile.',
  },
  'NET-PROXY-5': {
    level: 'error',
    title: 'The proxy refuses the tunnel to the target',
    next: 'Ask who runs the proxy to allow CONNECT to the target, or set `connection.proxy` to another one, or none.',
  },
  'NET-TLS-1': { level: 'ok', title: 'TLS is spoken, and the certificate holds', next: '' },
  'NET-TLS-2': {
    level: 'error',
    title: 'The certificate is signed by nobody but itself',
    next: 'Name a file with this certificate in `connection.ca`; `connection.verify: false` accepts whatever comes.',
  },
  'NET-TLS-3': {
    level: 'error',
    title: 'The chain of the certificate is not complete',
    next: 'Have the target send its intermediate certificates, or name a file with them in `connection.ca`.',
  },
  'NET-TLS-4': {
    level: 'error',
    title: 'The chain ends at an authority that is not trusted here',
    next: "Name a file with the authority's certificate (PEM) in `connection.ca`.",
  },
  'NET-TLS-5': {
    level: 'error',
    title: 'The certificate is not valid today',
    next: 'Have it renewed; if it is valid, set the clock of this machine.',
  },
  'NET-TLS-6': {
    level: 'warning',
    title: 'The certificate expires soon',
    next: 'Have it renewed before it makes the target unreachable.',
  },
  'NET-TLS-7': {
    level: 'error',
    title: 'The certificate is for another name',
    next: 'Write a name that the certificate holds into `baseUrl` (or --base-url), or have the name added.',
  },
  'NET-TLS-8': {
    level: 'error',
    title: 'The target asks for a client certificate',
    next: 'Name its files in `connection.certificate` and `connection.key`.',
  },
  'NET-TLS-9': {
    level: 'error',
    title: 'The client certificate is refused',
    next: 'Ask whether it is registered at the target, still valid, and from an authority that it trusts (`connection.certificate`).',
  },
  'NET-TLS-10': {
    level: 'error',
    title: 'No TLS connection comes about',
    next: 'Does the port speak TLS, of version 1.2 at least? For plain HTTP, write http:// into `baseUrl` (or --base-url).',
  },
  'NET-TLS-11': {
    level: 'warning',
    title: 'Certificates are not verified',
    next: 'Take `connection.verify: false` away, and name the authority in `connection.ca`.',
  },
  'NET-TLS-12': { level: 'ok', title: 'The client certificate is asked for, and accepted', next: '' },
  'NET-TLS-13': {
    level: 'notice',
    title: 'The target does without the client certificate too',
    next: 'If it is meant to ask for one, correct the target; else `connection.certificate` and `connection.key` are not needed.',
  },
  'NET-TLS-14': {
    level: 'warning',
    title: 'Credentials go over the network in clear',
    next: 'Write https:// into `baseUrl` (or --base-url), if the target speaks it.',
  },
  'NET-TIME-1': { level: 'ok', title: 'The clocks agree', next: '' },
  'NET-TIME-2': {
    level: 'warning',
    title: 'The clocks do not agree',
    next: 'Set the clock of this machine (NTP), or that of the target: what is judged by time may be wrong by as much.',
  },
  'NET-TIME-3': {
    level: 'notice',
    title: 'The target does not tell its time',
    next: 'Make sure that the clock of this machine is set (NTP).',
  },
  'NET-HOOK-1': {
    level: 'error',
    title: 'The name in the webhook URL cannot be resolved',
    next: 'Correct --webhook-url.',
  },
  'NET-HOOK-2': {
    level: 'warning',
    title: 'The webhook URL cannot be reached from outside',
    next: 'Give --webhook-url an address that the target reaches, such as that of a tunnel.',
  },
  'NET-HOOK-3': {
    level: 'error',
    title: 'The webhook sink cannot listen',
    next: 'Correct `webhooks.listen` or `webhooks.tls`, or end the program that has the port.',
  },
  'NET-HOOK-4': {
    level: 'warning',
    title: 'The webhook URL does not lead back here',
    next: 'Point --webhook-url at the address in `webhooks.listen`; from inside of some networks the way out and back is closed, though the target may still come through.',
  },
  'NET-HOOK-5': { level: 'ok', title: 'The webhook URL leads to the sink', next: '' },
  'NET-HOOK-6': {
    level: 'notice',
    title: 'No webhook URL is given',
    next: 'Give --webhook-url, if the target can call this machine: without it nothing about webhooks is judged.',
  },
  'NET-LEVER-1': {
    level: 'warning',
    title: 'The host of a lever takes no connection',
    next: 'Correct the url of the lever, or bring its host up; without it the checks that need it are not reached.',
  },
} as const
