import { createHmac } from 'node:crypto';

/** Begins a secret of Standard Webhooks; what follows is its bytes in Base64. */
const SECRET_PREFIX = 'whsec_';

/**
 * The headers that sign a webhook by Standard Webhooks 1.0, https://www.standardwebhooks.com: HMAC-SHA256 of id,
 * time and body. `at` is when it is sent, in milliseconds since 1970; each attempt has its own.
 */
export function webhookHeaders(
  secret: string,
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
