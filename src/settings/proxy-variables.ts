const NAMES = [
  'https_proxy',
  'HTTPS_PROXY',
  'http_proxy',
  'HTTP_PROXY',
  'no_proxy',
  'NO_PROXY',
  'REQUEST_METHOD',
];

/** The variables of the environment that say which proxy to use, and no others. */
export function proxyVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
}
