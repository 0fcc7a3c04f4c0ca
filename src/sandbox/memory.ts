import { InMemory } from '../database/in-memory.ts';

/** A place in the memory of this process for a new sandbox, whose server and operators share it by this object. */
export function sandboxMemory(): InMemory {
  return new InMemory();
}
