// Racks.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function RacksPage(): JSX.Element {
  return <Page title="Racks">{null}</Page>;
}
