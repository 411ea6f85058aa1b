import { defineProfile } from '../../../profile/load.ts'

/** The profile of the third-party server. */
export default defineProfile({
  name: 'oidc-provider',
  applications: [
    {
      name: 'Harbour',
      kind: 'FAC',
      clientId: 'b1f0c7',
      clientSecret: 'env:HARBOUR_SECRET',
      redirectUris: [
        { uri: 'https://harbour.example/oauth' },
        { uri: 'https://harbour.example/oauth?lang=en&from=bank' },
      ],
    },
    {
      name: 'Meadow',
      kind: 'FAC',
      clientId: 'c2e8d4',
      clientSecret: 'env:MEADOW_SECRET',
      redirectUris: [
        { uri: 'https://meadow.example/oauth' },
        { uri: 'https://meadow.example/oauth?lang=en&from=bank' },
      ],
    },
    {
      name: 'Tandem',
      kind: 'TPP',
      clientId: 'd3a9e5',
      clientSecret: 'env:TANDEM_SECRET',
      redirectUris: [
        { uri: 'https://tandem.example/oauth' },
        { uri: 'https://tandem.example/oauth?lang=en&from=bank' },
      ],
    },
    {
      name: 'Vista',
      kind: 'TPP',
      clientId: 'e4b6f2',
      clientSecret: 'env:VISTA_SECRET',
      redirectUris: [
        { uri: 'https://vista.example/oauth' },
        { uri: 'https://vista.example/oauth?lang=en&from=bank' },
      ],
    },
  ],
  customers: [
    { name: 'Ida', username: 'ida', password: 'env:IDA_PASSWORD' },
    { name: 'Joel', username: 'joel', password: 'env:JOEL_PASSWORD' },
  ],
  authorization: {
    kind: 'pages',
    pages: [
      {
        when: '#login',
        fill: { '[name=user]': '{username}', '[name=pin]': '{password}' },
        press: '#login button',
      },
      { when: '#question', press: 'button[value=yes]', refuse: 'button[value=no]' },
    ],
  },
  testHooks: {
    readClock: { method: 'GET', url: '/for-tests/time', result: 'time.utc' },
    advanceClock: { method: 'PUT', url: '/for-tests/time', body: { forward: '{milliseconds}' } },
    revokeToken: { method: 'DELETE', url: '/for-tests/tokens/{token}' },
  },
})
