// Work.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function WorkPage(): JSX.Element {
  return <Page title="Work">{null}</Page>;
}
