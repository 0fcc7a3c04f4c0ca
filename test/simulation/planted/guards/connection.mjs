const BASE_URL = 'src/core/partner-api/base-url.ts';
const PROXY = 'src/core/client/proxy.ts';
const TRANSPORT = 'src/core/client/transport.ts';

export const CONNECTION = [
  {
    name: 'plain-http-accepted',
    what: 'a base URL of any host may be plain HTTP',
    file: BASE_URL,
    find: "!(url.protocol === 'http:' && isLoopback(nameOf(host)))",
    replace: "url.protocol !== 'http:'",
  },
  {
    name: 'loopback-by-beginning',
    what: 'a host whose name only begins like a loopback address may be plain HTTP',
    file: 'src/core/partner-api/loopback.ts',
    find: '|::1|\\[::1\\])$/',
    replace: '|::1|\\[::1\\])/',
  },
  {
    name: 'stored-url-unchecked',
    what: 'the base URL of a stored profile is not checked',
    file: 'src/cli/settings/store.ts',
    find: 'baseUrl: checkBaseUrl(baseUrl)',
    replace: 'baseUrl',
  },
  {
    name: 'env-url-unchecked',
    what: 'the base URL of the environment is not checked',
    file: 'src/cli/settings/env-profile.ts',
    find: "checkBaseUrl(env['SWAPCTL_BASE_URL'] ?? '')",
    replace: "env['SWAPCTL_BASE_URL'] ?? ''",
  },
  {
    name: 'lone-url-ignored',
    what: 'a base URL alone in the environment is ignored, and the stored profile is used',
    file: 'src/cli/settings/env-profile.ts',
    find: "...SECRET_NAMES, 'SWAPCTL_BASE_URL'] as const",
    replace: '...SECRET_NAMES] as const',
  },
  {
    name: 'any-certificate',
    what: 'any certificate is trusted',
    file: TRANSPORT,
    find: 'followRedirect: false,',
    replace: 'followRedirect: false,\n      https: { rejectUnauthorized: false },',
  },
  {
    name: 'any-certificate-behind-proxy',
    what: 'any certificate is trusted behind a proxy',
    file: PROXY,
    find: 'const options = { proxy: proxy.url, keepAlive, timeout, proxyRequestOptions };',
    replace:
      'const options = { proxy: proxy.url, keepAlive, timeout, proxyRequestOptions, rejectUnauthorized: false };',
  },
  {
    name: 'proxy-refusal-is-unknown',
    what: 'a create that a proxy refused to carry counts as sent',
    file: PROXY,
    find: "new TransportError('proxy', false,",
    replace: "new TransportError('proxy', true,",
  },
  {
    name: 'proxy-password-shown',
    what: 'an error of a proxy shows its password',
    file: PROXY,
    find: 'return { url, host: ',
    replace: 'return { url, host: url.password + ',
  },
  {
    name: 'clear-text-to-any-proxy',
    what: 'a signature for a service on this machine goes in clear text to a proxy elsewhere',
    file: PROXY,
    find: "return url.protocol === 'http:' && !isLoopback(proxy.url.hostname) ? null : proxy;",
    replace: 'return proxy;',
  },
  {
    name: 'proxy-failure-is-service',
    what: 'a failure of a proxy is reported as one of the service',
    file: PROXY,
    find: 'callback(error === null ? null : proxyFailure(error, proxy), socket)',
    replace: 'callback(error, socket)',
  },
  {
    name: 'redirects-followed',
    what: 'redirects are followed, with the credentials',
    file: TRANSPORT,
    find: 'followRedirect: false,',
    replace: 'followRedirect: true,',
  },
];
