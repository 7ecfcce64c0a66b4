import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { IconButton } from '../button.tsx';
import { Modal } from '../dialogs/modal.tsx';
import { Brand, Navigation } from './sidebar.tsx';

export function Drawer({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Modal
      label={t`Navigation`}
      className="m-0 me-auto h-dvh max-h-dvh w-72 max-w-[85vw] border-line border-e bg-page shadow-2xl"
      onClose={onClose}
    >
      <Navigation
        onNavigate={onClose}
        top={
          <>
            <Brand onNavigate={onClose} />
            <div className="grow" />
            <IconButton label={t`Close`} onClick={onClose}>
              <X aria-hidden />
            </IconButton>
          </>
        }
      />
    </Modal>
  );
}
