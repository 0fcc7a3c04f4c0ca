import { CONFIG } from './home.ts';
import { CREATE, QUOTE, type Scene } from './scene.ts';

const PASSWORD = 'hunter2';
const SECRETS = { secrets: [PASSWORD] };
/** For a proxy that fails when it shall carry a create. */
const env = () => ({ https_proxy: `http://me:${PASSWORD}@{proxy}` });
const FAILED = { env, args: CREATE, prints: /proxy 127\.0\.0\.1.*"outcome":"nothing-sent"/s, ...SECRETS };

/** Between swapctl and the service stands a proxy, which sees what is in clear text. */
export const PROXIES: readonly Scene[] = [
  { what: 'a proxy that refuses a create', proxy: 'refuses', ...FAILED, exitCode: 6 },
  { what: 'a proxy that hangs up', proxy: 'hangs up', ...FAILED, exitCode: 6 },
  {
    what: 'a proxy elsewhere, with a service on this machine',
    change: (home) => home.write(CONFIG, home.config({ baseUrl: 'http://127.0.0.1:9/api' })),
    env: () => ({ http_proxy: 'http://proxy.example:3128' }),
    args: QUOTE,
    exitCode: 0,
  },
];
