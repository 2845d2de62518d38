/** Keeps a fault in one part of the page from taking the rest with it. */
import { Component, type ReactNode } from "react";

export interface Failure {
  error: unknown;
  retry: () => void;
}

interface BoundaryProps {
  /** Stands in once something below has thrown. */
  fallback: (failure: Failure) => ReactNode;
  children: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { failed: boolean; error: unknown }> {
  override state = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error };
  }

  retry = () => this.setState({ failed: false, error: undefined });

  override render() {
    const { fallback, children } = this.props;
    return this.state.failed ? fallback({ error: this.state.error, retry: this.retry }) : children;
  }
}
