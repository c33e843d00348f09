// Whether the command palette is open. Separate from it, because it can be opened before it has loaded.
import { createSpotlight } from '@mantine/spotlight';

export const [paletteStore, palette] = createSpotlight();
