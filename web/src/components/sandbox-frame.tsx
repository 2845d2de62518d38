/**
 * Shows what a model made where it can reach nothing: in a frame without an origin, network or storage, inside another
 * whose policy (SANDBOX_HEADERS of the server) holds for both.
 */
import { useEffect, useRef } from "react";

interface SandboxFrameProps {
  title: string;
  html: string;
  className?: string;
}

export function SandboxFrame({ title, html, className }: SandboxFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      const inside = frame.current?.contentWindow;
      if (inside && source === inside && data === "ready") inside.postMessage(html, "*");
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, [html]);
  return (
    <iframe
      // Other content needs a frame of its own: the one before may still run.
      key={html}
      ref={frame}
      title={title}
      src="/sandbox.html"
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className={className}
    />
  );
}
