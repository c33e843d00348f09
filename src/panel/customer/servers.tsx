// Servers.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function ServersPage(): JSX.Element {
  return <Page title="Servers">{null}</Page>;
}
