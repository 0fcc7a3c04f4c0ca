import { startAdmin } from './admin/admin.ts';
import type { TimeLimits } from './http/listen.ts';
import { type Operator, type OperatorOptions, openOperator } from './operator/operator.ts';
import { type PageOptions, startPage } from './page/page.ts';
import type { RequestRecorder } from './requests/recorder.ts';

/** Options of {@link openOperatorPorts}. */
export interface PortsOptions extends OperatorOptions {
  /** Port for the operators' verbs over HTTP, on loopback; 0 takes a free one. Default: no such port. */
  readonly adminPort?: number | undefined;
  /** The page, on a loopback port; 0 takes a free one. Default: none. */
  readonly page?: Pick<PageOptions, 'port' | 'files'> | undefined;
  readonly limits?: Partial<TimeLimits> | undefined;
}

/** What the ports know about their server. */
export interface PortTools {
  readonly recorder: RequestRecorder | undefined;
  /** Its OpenAPI document as text. */
  readonly openApi: () => Promise<string>;
}

/** Where operators find a sandbox. */
export interface PortAddresses {
  /** URL of the operators' verbs, if they are served. */
  readonly adminUrl?: string;
  /** Token for `Authorization: Bearer` there; new at every start. */
  readonly adminToken?: string;
  /** Address of the page, with its token, if it is served. */
  readonly pageUrl?: string;
}

/** Opens the admin port and the page on one operator. */
export async function openOperatorPorts(options: PortsOptions, { recorder, openApi }: PortTools) {
  const { adminPort, page, limits } = options;
  const operator = withLatestRequests(await openOperator(options), recorder);
  const opened: { close(): Promise<void> }[] = [operator];
  const close = async () => {
    for (const each of [...opened].reverse()) await each.close();
  };
  try {
    const admin = adminPort === undefined ? undefined : await startAdmin(operator, adminPort, limits);
    if (admin !== undefined) opened.push(admin);
    const served = page === undefined ? undefined : await startPage({ ...page, operator, openApi, limits });
    if (served !== undefined) opened.push(served);
    return {
      addresses: {
        ...(admin === undefined ? {} : { adminUrl: admin.url, adminToken: admin.token }),
        ...(served === undefined ? {} : { pageUrl: served.url }),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An operator that sees every request answered before it is called. */
function withLatestRequests(operator: Operator, recorder: RequestRecorder | undefined): Operator {
  if (recorder === undefined) return operator;
  return {
    ...operator,
    requests: async (filter) => {
      await recorder.flush();
      return operator.requests(filter);
    },
    reset: async () => {
      await recorder.flush();
      return operator.reset();
    },
  };
}
