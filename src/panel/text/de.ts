// The German catalogue, as one file to load.
import type { Catalogue } from './text.ts';

const parts = import.meta.glob<Catalogue>('./de/*.json', { eager: true, import: 'default' });
export const texts: Catalogue = Object.assign({}, ...Object.values(parts));
