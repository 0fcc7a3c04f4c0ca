/** Stands for the temporary file of a batch. */
export async function openSpool<T>() {
  const items: string[] = [];
  return {
    add: async (item: T) => void items.push(JSON.stringify(item)),
    items: async function* () {
      for (const item of items) yield JSON.parse(item) as T;
    },
    close: async () => undefined,
  };
}
