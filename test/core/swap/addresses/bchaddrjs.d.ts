declare module 'bchaddrjs' {
  const bchaddr: { toCashAddress(address: string): string };
  export = bchaddr;
}
