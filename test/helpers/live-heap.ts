import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of this thread's heap that something still holds: what waits for collection is collected first. */
export function liveHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return getHeapStatistics().used_heap_size;
}
