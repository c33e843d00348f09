// The list item that is open in a drawer. Its id is in the URL hash, so that the view can be shared, and Back closes it.
import { useLocation, useNavigate } from '@tanstack/react-router';

export interface OpenItem {
  readonly openId: string | undefined;
  open(id: string): void;
  close(): void;
}

export function useOpenItem(): OpenItem {
  const { hash } = useLocation();
  const navigate = useNavigate();
  return {
    openId: hash === '' ? undefined : hash,
    open: (id) => void navigate({ to: '.', hash: id, resetScroll: false }),
    close: () => void navigate({ to: '.', hash: '', resetScroll: false, replace: true }),
  };
}
