declare module 'bs58check' {
  const bs58check: { encode(payload: Uint8Array): string };
  export = bs58check;
}
