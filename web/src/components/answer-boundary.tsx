/** Keeps a fault in what one answer shows from taking the page with it. */
import { Component, type ReactNode } from "react";

interface AnswerBoundaryProps {
  /** Stands in once something below has thrown. */
  fallback: ReactNode;
  children: ReactNode;
}

export class AnswerBoundary extends Component<AnswerBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
