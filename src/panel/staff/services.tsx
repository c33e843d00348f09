// Services.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function ServicesPage(): JSX.Element {
  return <Page title="Services">{null}</Page>;
}
