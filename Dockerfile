# A container image of kurel, without a shell and without helm and kustomize:
#   npm run release:image && docker build --file Dockerfile dist/image
#   docker run --rm --read-only --network none --volume "$PWD:/work" IMAGE build PATH
FROM gcr.io/distroless/base-nossl-debian12:nonroot
ARG TARGETARCH
COPY ${TARGETARCH}/ /
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/kurel"]
CMD ["help"]
