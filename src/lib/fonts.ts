// The bundled font, so that charts and invoices look the same on every machine.
import { fileURLToPath } from 'node:url';

export type FontWeight = 'regular' | 'semibold';

export function fontFile(weight: FontWeight): string {
  return fileURLToPath(new URL(`../../assets/fonts/ibm-plex-sans-${weight}.ttf`, import.meta.url));
}
