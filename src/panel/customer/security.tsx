// Sign-in and security.
import type { JSX } from 'react';
import { Page } from '../parts/page.tsx';

export function SecurityPage(): JSX.Element {
  return <Page title="Sign-in and security">{null}</Page>;
}
