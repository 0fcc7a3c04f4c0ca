import { startSandbox } from '../../src/sandbox/server.ts';

const [database = '', count = '1000000'] = process.argv.slice(2);
const sandbox = await startSandbox({ database, rateLimit: { count: Number(count), windowSeconds: 600 } });
process.send?.({ url: sandbox.url, credentials: sandbox.credentials });
process.on('SIGTERM', () => {
  void sandbox.close().then(() => process.exit(0));
});
