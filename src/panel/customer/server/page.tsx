// Server.
import type { JSX } from 'react';
import { Page } from '../../parts/page.tsx';

export function ServerPage(): JSX.Element {
  return <Page title="Server">{null}</Page>;
}
