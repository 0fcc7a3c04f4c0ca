import type { HttpMethod } from '../../client/transport.ts';
import type { EndpointName } from '../../partner-api/endpoints.ts';

/** Parsed arguments of `swapctl api`. */
export interface ApiOptions {
  readonly endpoint: EndpointName;
  readonly method: HttpMethod;
  /** Parameters of a GET, fields of the body otherwise, in the order given. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** File with the body, `-` for standard input; null for none. */
  readonly input: string | null;
  /** The status and the headers of the answer are printed before its body. */
  readonly include: boolean;
  /** Nothing is sent: a curl command line is printed. */
  readonly curl: boolean;
  readonly yes: boolean;
}
