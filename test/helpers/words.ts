/** The words of a text, between spaces and line breaks. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
