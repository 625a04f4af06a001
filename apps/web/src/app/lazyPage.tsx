/** Pages and layouts whose code arrives when they are first shown (shared/code). */
import type { ComponentType } from 'react';
import { type LoadCode, lazyCode } from '../shared/code/lazy-code.tsx';
import { PageUnreachable, Unreachable } from './Unreachable.tsx';

/** A page inside a layout, which stays usable around it. */
export const lazyPage = (load: LoadCode): ComponentType => lazyCode(load, 'page', PageUnreachable);

/** A layout: without it there is nothing around the message. */
export const lazyLayout = (load: LoadCode): ComponentType => lazyCode(load, 'page', Unreachable);
