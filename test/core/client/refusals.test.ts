import { describe, expect, it } from 'vitest';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { IN_LONG_RUN } from '../../helpers/random-runs.ts';
import { rawServer } from '../../helpers/raw-server.ts';
import { CREDENTIALS, clientOf, expectNoSecret, failureOf, QUOTE } from './test-client.ts';

const refusal = async (status: number, body: string, type = 'application/json') => {
  const server = await rawServer((_seen, response) => {
    response.writeHead(status, { 'content-type': type, 'retry-after': '0' }).end(body);
  });
  return failureOf(clientOf(server.url).quote(QUOTE));
};

const printed = (message: unknown, statusCode = 400) => JSON.stringify({ statusCode, message });

it.runIf(IN_LONG_RUN)('the first of 200,000 messages and the number of the others are shown', async () => {
  const all = Array.from({ length: 200_000 }, (_, index) => `field${index} is wrong`);
  const { message, details } = await refusal(400, printed(all));
  const first = all.slice(0, 20);
  expect(message).toBe(`The service rejected the request as invalid: ${first.join('; ')}; and 199980 more`);
  expect(details).toEqual({ messages: first });
});

describe('an error response', () => {
  it.each([
    [400, 'Amount to swap is below the possible min amount to swap', 'amount_below_min', 5],
    [400, 'Amount to exchange is below the possible min amount to exchange', 'amount_below_min', 5],
    [400, 'Amount to swap is higher the possible max amount to swap', 'amount_above_max', 5],
    [400, 'Amount to exchange is higher the possible max amount to exchange', 'amount_above_max', 5],
    [400, 'Invalid withdrawal address.', 'invalid_withdrawal_address', 5],
    [400, ['id must be a string', 'id should not be empty'], 'validation_failed', 5],
    [403, 'Invalid public key.', 'invalid_public_key', 4],
    [403, 'Invalid payload.', 'invalid_payload', 4],
    [403, 'Invalid signature.', 'invalid_signature', 4],
    [404, 'Not found.', 'not_found', 3],
    [404, 'Transaction not found or access denied', 'not_found', 3],
    [429, 'You have exceeded your request limit. Please try again later.', 'rate_limited', 6],
    [500, 'Server error.', 'service_error', 6],
    [500, 'Unexpected error.', 'service_error', 6],
  ])('with %i %j has the code %s', async (status, message, code, exitCode) => {
    const error = await refusal(status, printed(message, status));
    expect(error).toMatchObject({ code, exitCode, httpStatus: status });
    expect(error.message).toContain(Array.isArray(message) ? message.join('; ') : message);
  });

  it('is recognized case-insensitively, with or without the period', async () => {
    expect((await refusal(403, printed('invalid PUBLIC key'))).code).toBe('invalid_public_key');
    expect((await refusal(401, printed('Invalid  signature'))).code).toBe('invalid_signature');
  });

  it('has a hint for each of the three credentials', async () => {
    const login =
      'Check the key pair with `swapctl auth status`, or store it again with `swapctl auth login`.';
    const hints = {
      'Invalid public key.': `The service does not know this public key. Check that it belongs to this environment. ${login}`,
      'Invalid payload.':
        'The service does not accept this endpoint name; check that the base URL belongs to the partner API.',
      'Invalid signature.': `The secret does not belong to this public key. ${login}`,
    };
    for (const [message, hint] of Object.entries(hints))
      expect((await refusal(403, printed(message))).hint).toBe(hint);
  });

  it.each([
    ['a web page', '<html><h1>Access denied</h1></html>', 'The service answered 403 with a web page'],
    ['bare text', 'error code: 1020', 'The service answered 403: error code: 1020'],
    ['other JSON', '{"message":"Forbidden","ray":"8a1"}', 'Forbidden'],
    ['nothing', '', 'The service answered 403 without a message'],
  ])('is not about the key pair if a firewall sends %s', async (_what, body, message) => {
    const error = await refusal(403, body);
    expect(error).toMatchObject({ code: 'rejected', exitCode: 5, message });
    expect(error.hint).toBe(
      'The partner API does not report a wrong key pair like this: a firewall, or a block of your IP address or country, may have refused the request. Check the base URL and contact the service.',
    );
  });

  it('is recognized in plain text too', async () => {
    expect(await refusal(403, 'Invalid signature.', 'text/plain')).toMatchObject({
      code: 'invalid_signature',
      message: 'The service answered 403: Invalid signature.',
    });
  });

  it('names the path of the base URL only if the API was not found there', async () => {
    expect((await refusal(404, '<html>nginx</html>')).hint).toBe(
      'This response is not from the partner API. Check the base URL of the profile.',
    );
    const server = await rawServer((_seen, response) =>
      response.writeHead(404).end(printed('Cannot GET /v1/api/private/exchange-coin', 404)),
    );
    expect((await failureOf(clientOf(`${server.url}/v1`).quote(QUOTE))).hint).toBe(
      `Nothing was found under the path /v1 of the base URL. Try ${server.url}, or the path under which the service serves /api/private.`,
    );
    expect((await refusal(404, printed('Not found.', 404))).hint).toBeNull();
  });

  it.each([400, 402, 403, 405, 409, 413, 418, 422, 451])('with status %i is rejected', async (status) => {
    const error = await refusal(status, printed('No swaps on Sundays.', status));
    expect(error).toMatchObject({ code: 'rejected', exitCode: 5, message: 'No swaps on Sundays.' });
  });
});

describe('the body of an error response', () => {
  it.each([
    ['empty', '', 'The service answered 422 without a message'],
    ['spaces', ' \n ', 'The service answered 422 without a message'],
    ['a web page', '<!DOCTYPE html><h1>No</h1>', 'The service answered 422 with a web page'],
    ['a web page in upper case', '  <HTML>No</HTML>', 'The service answered 422 with a web page'],
    ['bare text', 'no way', 'The service answered 422: no way'],
    ['a JSON text', '"no way"', 'The service answered 422: no way'],
    ['an object with a message', '{"message":"no way"}', 'no way'],
    ['an object with only an error', '{"error":"no way"}', 'no way'],
    ['an object without either', '{"code":5}', 'The service answered 422 without a message'],
    ['an object as message', '{"message":{"text":"no"}}', 'The service answered 422 without a message'],
    ['a message that is null', '{"message":null,"error":"no way"}', 'no way'],
    ['a list', '["first","second"]', 'first; second'],
    ['a list in the message', '{"message":["first","second",3]}', 'first; second'],
    ['an empty list', '[]', 'The service answered 422 without a message'],
    ['a list of other things', '[1,null,{}]', 'The service answered 422 without a message'],
    ['a number', '5', 'The service answered 422 without a message'],
    ['null', 'null', 'The service answered 422 without a message'],
    ['broken JSON', '{"message":"no', 'The service answered 422: {"message":"no'],
  ])('that is %s gives the message $2', async (_what, body, message) => {
    const error = await refusal(422, body, 'text/plain');
    expect(error).toMatchObject({ code: 'rejected', httpStatus: 422, message });
  });

  it('has its control characters escaped', async () => {
    expect((await refusal(422, printed('a\u001b[31mb\u202e'))).message).toBe('a<U+001B>[31mb<U+202E>');
  });

  it('may be nested 10,000 levels deep', async () => {
    expect((await refusal(422, '['.repeat(10_000))).code).toBe('rejected');
  });
});

it('an error contains no credentials, even if the service sends them back', async () => {
  const signature = sign('exchange-coin', CREDENTIALS.secret);
  for (const status of [400, 403, 404, 422, 500])
    expectNoSecret(await refusal(status, printed(`${signature} ${signature.toUpperCase()}`, status)));
});
