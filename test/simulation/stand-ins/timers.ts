import { simulated } from './clock.ts';

export function setTimeout(milliseconds: number): Promise<void> {
  return simulated.sleep(milliseconds);
}

export async function setImmediate(): Promise<void> {}
