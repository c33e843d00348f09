// Escapes all characters beyond ASCII in bundles. With a single one, V8 keeps two bytes for each character of a file.
import type { Plugin } from 'vite';

export function asciiOutput(): Plugin {
  return {
    name: 'ascii-output',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escapeOthers(file.code);
    },
  };
}

function escapeOthers(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
