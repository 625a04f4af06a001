/** Lazy pages and layouts (shared/code). */
import type { ComponentType } from 'react';
import { type LoadCode, lazyCode } from '../shared/code/lazy-code.tsx';
import { PageUnreachable, Unreachable } from './Unreachable.tsx';

/** A lazy page inside a layout, which stays usable when the page fails to load. */
export const lazyPage = (load: LoadCode): ComponentType => lazyCode(load, 'page', PageUnreachable);

/** A lazy layout; when it fails to load, the message fills the screen. */
export const lazyLayout = (load: LoadCode): ComponentType => lazyCode(load, 'page', Unreachable);
