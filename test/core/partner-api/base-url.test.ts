import { expect, it } from 'vitest';
import { checkBaseUrl, serviceAt } from '../../../src/core/partner-api/base-url.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { refusal } from '../../helpers/refusal.ts';
import { runHere } from '../../helpers/run-here.ts';
import { words } from '../../helpers/words.ts';

const SAME: Readonly<Record<string, readonly string[]>> = {
  'https://api.example.com': [
    ' https://api.example.com\n',
    'ht\ttps://api.example.com',
    'https:\\\\api.example.com\\',
    ...words(`https://api.example.com/ HTTPS://API.Example.COM https://api.example.com:443
      https://api.example.com:0443/ https://api.example.com: https://api.example.com.
      https://api.example.com.:443/ https://api%2Eexample.com https:api.example.com
      https:////api.example.com https://api。example．com https://ａｐｉ.example.com
      https://api.exam\u00adple.com https://api.example.com/. https://api.example.com/./
      https://api.example.com/a/.. https://api.example.com/%2e/ https://api.example.com/a/%2E%2e/`),
  ],
  'https://api.example.com/partner/v1.0~x': words(`https://api.example.com/partner/v1.0~x/
    https://api.example.com/./partner/v1.0~x https://api.example.com/partner/./v1.0~x
    https://api.example.com/partner/y/../v1.0~x https://api.example.com/%70artner/v1%2E0%7ex
    https://api.example.com\\partner\\v1.0~x`),
  'https://xn--bcher-kva.example': words(`https://bücher.example https://BÜCHER.example
    https://bu\u0308cher.example https://XN--BCHER-KVA.example https://b%C3%BCcher.example.`),
  'https://10.0.0.1:8443': words(`https://10.1:8443 https://0xa.0.0.1:8443 https://167772161:8443
    https://012.0.0.1:8443 https://10.0.0.1.:8443 https://[::ffff:10.0.0.1]:8443
    https://[0:0:0:0:0:FFFF:a00:1]:8443`),
  'https://[2001:db8::1]': words(`https://[2001:DB8::1]/ https://[2001:db8:0:0:0:0:0:1]
    https://[2001:0db8::0001]:443`),
  'http://127.0.0.1:4010': words(`http://127.1:4010 http://0x7f000001:4010 http://2130706433:4010
    http://127.0.0.1.:4010 http://[::ffff:127.0.0.1]:4010 http://[::ffff:7f00:1]:4010`),
};

const SPELLINGS = Object.entries(SAME).flatMap(([url, all]) => all.map((text) => [text, url] as const));

it.each(SPELLINGS)('base URL %j is normalized to %s', (text, url) => {
  expect(checkBaseUrl(text)).toBe(url);
  expect(serviceAt(text)).toBe(serviceAt(url));
});

it.each(
  words(`http://127.0.0.1:4010 http://LOCALHOST:4010 http://localhost.:4010/ http://[::1]:4010
    http://[0:0:0:0:0:0:0:1]:4010 http://[::ffff:127.0.0.1]:4010`),
)('%s is the same service as http://localhost:4010', (text) => {
  expect(serviceAt(text)).toBe('http://localhost:4010');
  expect(serviceAt(checkBaseUrl(text))).toBe('http://localhost:4010');
});

it.each([
  ...words('? # /? /# ?key=1 #x /?# // /.//').map((end) => `https://api.example.com${end}`),
  'https://@api.example.com',
  'https://user:word@api.example.com',
])('%s is rejected as a base URL, but identifies the same service', (text) => {
  expect(refusal(() => checkBaseUrl(text))?.code).toBe('usage');
  expect(serviceAt(text)).toBe('https://api.example.com');
});

it.each([
  ['https://api.example.com', 'https://api.example.com/partner'],
  ['https://api.example.com/partner', 'https://api.example.com/Partner'],
  ['https://api.example.com', 'https://api.example.com:8443'],
  ['https://localhost:4010', 'http://localhost:4010'],
  ['http://127.0.0.1:4010', 'http://127.0.0.2:4010'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4011'],
])('%s and %s are different services', (one, other) => {
  expect(serviceAt(checkBaseUrl(one))).not.toBe(serviceAt(checkBaseUrl(other)));
});

it.each(
  words(`http://api.example.com http://10.0.0.1 http://0.0.0.0:4010 http://localhost.example.com
    http://127.0.0.1.example.com http://[::ffff:10.0.0.1] http://[::] http://example.localhost.
    ftp://127.0.0.1 file:///etc/passwd javascript:alert(1) ws://localhost`),
)('base URL %s is rejected as insecure', (text) => {
  expect(refusal(() => checkBaseUrl(text))?.code).toBe('insecure_url');
});

const PRIVATE = 'The base URL contains /api/private, which swapctl adds automatically.';
const USER = 'The base URL must not contain a user name or password.';
const MARK = 'The base URL must not contain ? or #.';
const SEGMENT = 'The base URL must not contain an empty path segment (//).';
const PATH = 'The path of the base URL may contain only letters, digits and - . _ ~ : + , =';
const DOCUMENTED = 'Use the path as the service documents it, without percent codes.';
const HOST = 'The host of the base URL has an empty part between its dots.';
const NO_URL = 'The base URL must be a URL such as https://api.example.com.';

it.each([
  ['https://h/api/private', PRIVATE, 'Use only the part before it: https://h'],
  ['https://h/p/api/private/get-all-coins', PRIVATE, 'Use only the part before it: https://h/p'],
  ['https://h/%61pi/%70rivate', PRIVATE, 'Use only the part before it: https://h'],
  ['https://user@h', USER, 'Use https://h'],
  ['https://user:word@h:8443/p', USER, 'Use https://h:8443/p'],
  ['https://:@h', USER, 'Use https://h'],
  ['https://@h', USER, 'Use https://h'],
  ['http://127.0.0.1@evil.example.com', USER, 'Use http://evil.example.com'],
  ['https://h?', MARK, 'Use https://h'],
  ['https://h/?', MARK, 'Use https://h'],
  ['https://h/p/#', MARK, 'Use https://h/p'],
  ['https://h?key=1', MARK, 'Use https://h'],
  ['https://h/p#x', MARK, 'Use https://h/p'],
  ['https://h//', SEGMENT, 'Use https://h'],
  ['https://h//p', SEGMENT, 'Use https://h/p'],
  ['https://h/p//v1', SEGMENT, 'Use https://h/p/v1'],
  ['https://h/p/.//', SEGMENT, 'Use https://h/p'],
  ['https://h/p/x/..//v1', SEGMENT, 'Use https://h/p/v1'],
  ['https://h\\\\p', SEGMENT, 'Use https://h/p'],
  ['https://h/a%2Fb', PATH, DOCUMENTED],
  ['https://h/a%5cb', PATH, DOCUMENTED],
  ['https://h/%3F', PATH, DOCUMENTED],
  ['https://h/%23', PATH, DOCUMENTED],
  ['https://h/;x=1', PATH, DOCUMENTED],
  ['https://h/a b', PATH, DOCUMENTED],
  ['https://h/ä', PATH, DOCUMENTED],
  ['https://h..', HOST, null],
  ['https://a..b', HOST, null],
  ['https://.h', HOST, null],
  ['api.example.com', NO_URL, null],
  ['', NO_URL, null],
  ['https://', NO_URL, null],
  ['https://exa mple.com', NO_URL, null],
])('base URL %s is rejected: $1', (text, message, hint) => {
  expect(refusal(() => checkBaseUrl(text))).toMatchObject({
    code: 'usage',
    message,
    ...(hint === null ? {} : { hint }),
  });
});

it.each([
  ['https://api.example.com:8443/partner/v1/', 'https://api.example.com:8443/partner/v1'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://127.255.1.2', 'http://127.255.1.2'],
  ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
])('base URL %s is used as %s', (text, expected) => expect(checkBaseUrl(text)).toBe(expected));

it('sandbox run --against a base URL with a question mark is rejected', async () => {
  const run = ['sandbox', 'run', 'success', '--against', 'http://127.0.0.1:1/?'];
  const { error } = await runHere(run, { home: await temporaryFolder() });
  expect(error).toMatchObject({ code: 'usage', message: MARK });
});
