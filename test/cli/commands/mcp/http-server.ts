import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { ToolServer } from '../../../../src/cli/commands/mcp/server.ts';

/** The handlers of `swapctl mcp` over HTTP, for judges that speak nothing else. */
export async function overHttp(
  server: ToolServer,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const handler = createMcpHandler(() => server.connection());
  const refusal = (request: Request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  const http = createAdaptorServer({ fetch: (request) => refusal(request) ?? handler.fetch(request) });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await handler.close();
      await new Promise((done) => void http.close(done));
    },
  };
}
