import type { Scene } from './scene.ts';

const RECORDING = 'calls.har';
const JSON_HEADERS = { 'content-type': 'application/json' };
const SIGNATURE = 'ab12'.repeat(32);

/** Secrets that other programs and services send, in each place once. */
const SENT = {
  password: 'head-word-1',
  bearer: 'bearer-word',
  key: 'another-key',
  signature: SIGNATURE,
  echoed: SIGNATURE.toUpperCase(),
  query: 'query-1',
  second: 'query-2',
  // Too short to be found in another place.
  encoded: 'query-3',
  body: 'body-2',
  below: 'inner-word-1',
  cookie: 'session-1',
  token: 'tok-1',
  location: 'loc-1',
  answer: 'hunter2',
};

const REDACTED = '<redacted>';
/** What may be recorded of the calls below. */
const KEPT = [
  `?id=A1&secret=${REDACTED}&api_key=${REDACTED}&%74oken=${REDACTED}&k=${REDACTED}&own=${REDACTED}&b=${REDACTED}`,
  `{ "password": "${REDACTED}", "pin":{"apiSecret":["${REDACTED}", "${REDACTED}"]}, "amount": 0.10, "api_key" : "${REDACTED}", "echo": "${`${REDACTED} `.repeat(4)}" }`,
  `{"apiSecret":"${REDACTED}","nested":{"passphrase":["${REDACTED}"]},"token":{"of":"${REDACTED}"},"note":"${REDACTED}","receiveCoin":"ETH"}`,
];

export const RECORDINGS: readonly Scene[] = [
  {
    what: 'a recording of calls with secrets',
    env: () => ({
      SWAPCTL_PUBLIC_KEY: '{key}',
      SWAPCTL_SECRET: '{secret}',
      SWAPCTL_BASE_URL: 'http://{service}',
    }),
    args: ['sandbox', 'record', '--json', '--write', '--port', '0', '-o', `{home}/${RECORDING}`],
    service: {
      headers: {
        ...JSON_HEADERS,
        'set-cookie': `id=${SENT.cookie}`,
        'x-session-token': SENT.token,
        location: `/x?secret=${SENT.location}`,
        'x-echo': SENT.key,
      },
      body: `{ "password": "${SENT.answer}", "pin":{"apiSecret":["short", 7]}, "amount": 0.10, "api_key" : "k\\"x", "echo": "${SENT.key} ${SENT.echoed} {secret} ${SENT.bearer} " }`,
    },
    calls: [
      {
        path: `/api/private/get-transaction?id=A1&secret=${SENT.query}&api_key=${SENT.second}&%74oken=${SENT.encoded}&k=${SENT.key}&own={key}&b=${SENT.bearer}`,
        headers: {
          'x-my-password': SENT.password,
          authorization: `Bearer ${SENT.bearer}`,
          'x-api-public-key': SENT.key,
          'x-api-signature': SIGNATURE,
        },
      },
      {
        path: '/api/private/create-transaction',
        headers: JSON_HEADERS,
        body: `{"apiSecret":7310264,"nested":{"passphrase":["${SENT.body}"]},"token":{"of":"${SENT.below}"},"note":"${SENT.below}","receiveCoin":"ETH"}`,
      },
    ],
    exitCode: 0,
    secrets: Object.values(SENT),
    mistake: (home) => {
      const recorded = home.read(RECORDING);
      const left = KEPT.filter((text) => !recorded.includes(JSON.stringify(text).slice(1, -1)));
      return left.length === 0 ? null : `it lacks ${left.join(' and ')}: ${recorded}`;
    },
  },
];
